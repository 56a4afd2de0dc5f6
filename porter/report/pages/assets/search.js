// Search in names of files, words, rules, operators and rows of tables, and in the texts of all files.

const MOST = 8;
let index = null;    // [group, text, lower-case text, link]
let texts = null;    // [ported path, lower-case ported text, data of the file]

function buildIndex() {
  const found = [];
  const add = (group, text, link) => found.push([group, text, text.toLowerCase(), link]);
  for (const cell of $$('td[data-path]')) add('files', cell.dataset.path, linkTo('file', cell.dataset.path));
  for (const cell of $$('td[data-word]')) add('words', cell.dataset.word, linkTo('word', cell.dataset.word));
  for (const cell of $$('td[data-rule]')) add('rules', cell.dataset.rule, linkTo('rule', cell.dataset.rule));
  for (const cell of $$('td[data-op]')) add('operators', cell.dataset.op, linkTo('op', cell.dataset.op));
  for (const cell of $$('td[data-row]')) add(cell.closest('section').id, cell.dataset.row, linkTo('row', cell.dataset.row));
  return found;
}

// Loads all texts in the background, one chunk at a time, so that the page stays responsive.
async function loadTexts() {
  const list = await loadFiles();
  const found = [];
  for (const file of list) {
    const data = await loadText(file);
    if (data) found.push([file[1], data.rows.map(row => row.right ?? row.left).join('\n').toLowerCase(), data]);
  }
  texts = found;
}

function search(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map();
  // Counts a hit, and keeps it if the list has room. Returns true if the list has room.
  const put = (group, hit, counted = false) => {
    const list = groups.get(group) || { hits: [], all: 0 };
    groups.set(group, list);
    if (!counted) list.all++;
    const room = list.hits.length < MOST;
    if (room && hit) list.hits.push(hit);
    return room;
  };
  if (!words.length) return groups;
  for (const [group, text, lower, link] of index) if (words.every(word => lower.includes(word))) put(group, { text, link });
  const whole = query.trim().toLowerCase();
  if (whole.length > 2) for (const [path, text, data] of texts || []) searchText(path, text, data, whole, put);
  return groups;
}

// Hits in the text of one file. Lines are numbered only for hits that the list shows.
function searchText(path, text, data, wanted, put) {
  let line = 0, from = 0;
  for (let at = text.indexOf(wanted); at >= 0;) {
    if (put('lines', null)) {
      for (let i = text.indexOf('\n', from); i >= 0 && i < at; i = text.indexOf('\n', from)) { line++; from = i + 1; }
      const row = data.rows[line];
      const place = row.now ? `${path}:${row.now}` : `${path}:u${row.old}`;
      put('lines', { text: place, why: (row.right ?? row.left).trim().slice(0, 120), link: linkTo('file', place) }, true);
    }
    const end = text.indexOf('\n', at);
    at = end < 0 ? -1 : text.indexOf(wanted, end);
  }
}

function makeSearch(tools) {
  const input = make('input', { type: 'search', id: 'search', placeholder: 'search ( / )', role: 'combobox',
    'aria-label': 'search', 'aria-expanded': 'false', 'aria-controls': 'results', 'aria-autocomplete': 'list', autocomplete: 'off' });
  const results = make('div', { id: 'results', role: 'listbox', 'aria-label': 'results', hidden: true });
  let chosen = -1;
  const options = () => $$('[role="option"]', results);
  const close = () => { results.hidden = true; input.setAttribute('aria-expanded', 'false'); chosen = -1; };
  const choose = number => {
    const all = options();
    if (!all.length) return;
    chosen = (number + all.length) % all.length;
    all.forEach((option, i) => option.setAttribute('aria-selected', String(i === chosen)));
    all[chosen].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', all[chosen].id);
  };
  const open = option => { close(); input.blur(); follow(option.dataset.link); };
  const show = () => {
    if (!index) index = buildIndex();
    const started = performance.now();
    const groups = search(input.value);
    const nodes = [];
    for (const [group, { hits, all }] of groups) {
      nodes.push(make('div', { className: 'group' }, all > hits.length ? `${group}: ${hits.length} of ${all.toLocaleString('en')}` : group));
      for (const { text, why, link } of hits) {
        nodes.push(make('div', { role: 'option', id: `result-${nodes.length}`, 'data-link': link, 'aria-selected': 'false' },
          visible(text), why ? make('div', { className: 'why code' }, visible(why)) : ''));
      }
    }
    if (!nodes.length && input.value.trim()) nodes.push(make('div', { className: 'group' }, 'nothing found'));
    results.replaceChildren(...nodes);
    results.dataset.ms = (performance.now() - started).toFixed(1);
    results.hidden = !nodes.length;
    input.setAttribute('aria-expanded', String(!results.hidden));
    chosen = -1;
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', () => { if (input.value) show(); });
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') { const all = options(); if (all.length) open(all[Math.max(0, chosen)]); }
    else if (event.key === 'Escape') { close(); input.value = ''; input.blur(); }
    else return;
    event.preventDefault();
  });
  results.addEventListener('mousedown', event => {
    const option = event.target.closest('[role="option"]');
    if (option) { event.preventDefault(); open(option); }
  });
  input.addEventListener('blur', close);
  tools.append(input, results);
}
