// View of one file: upstream and port side by side. Rows are made in blocks when they come near the visible part.

const BLOCK = 150;
let view = null;  // { file, data, blocks, at }

function sourceSection() {
  let section = $('#file');
  if (!section) {
    section = make('section', { id: 'file', hidden: true });
    $('main').append(section);
  }
  return section;
}

async function showFile(name) {
  await loadFiles();
  const [, path, number] = byPath.has(name) ? [null, name, null] : /^(.*?)(?::(u?\d+))?$/s.exec(name);
  const file = byPath.get(path);
  const section = sourceSection();
  showSection('file', file ? file[1] : path);
  if (!file) {
    section.replaceChildren(make('h2', {}, path), make('p', { className: 'note' }, 'The port has no such file.'));
    return;
  }
  if (!view || view.file !== file) {
    const data = await loadText(file);
    if (!data) {
      section.replaceChildren(make('h2', {}, file[1]), make('p', { className: 'note' }, 'The page does not contain the text of this file.'));
      view = null;
      return;
    }
    drawFile(section, file, data);
  }
  if (number) goToRow(view.data.rowOf(Number(number.replace('u', '')), number.startsWith('u')), true);
  else window.scrollTo(0, 0);
}

function drawFile(section, file, data) {
  const count = kind => data.places.filter(place => place.kind === kind).length;
  const legend = KINDS.filter(count).map(kind =>
    make('mark', { className: kind }, `${KIND_NAMES[kind]}: ${count(kind)}`));
  const sides = make('div', { className: 'sides', 'data-side': 'ported' });
  const side = make('select', { className: 'only-narrow', 'aria-label': 'side', change: () => { sides.dataset.side = side.value; } },
    make('option', { value: 'ported' }, 'port'), make('option', { value: 'upstream' }, 'upstream'));
  const button = (text, title, action) => make('button', { type: 'button', title, click: action }, text);
  section.replaceChildren(
    make('div', { className: 'source-head' },
      make('h2', { tabIndex: -1 }, data.to),
      make('span', { className: 'legend' }, ...legend.flatMap(mark => [mark, ' '])),
      button('‹ place', 'previous place (p)', () => step(-1)), button('place ›', 'next place (n)', () => step(1)),
      button('‹ file', 'previous file ([)', () => neighbour(-1)), button('file ›', 'next file (])', () => neighbour(1)), side),
    make('p', {}, data.why));
  if (data.n) section.append(make('p', { className: 'note' }, `Single edits are not shown: ${data.n}.`));
  sides.append(make('div', { className: 'sides-head' },
    make('span', { className: 'old' }), make('span', { className: 'old' }, `upstream: ${data.path}`),
    make('span', { className: 'new' }), make('span', { className: 'new' }, `port: ${data.to}`)));
  const blocks = [];
  const seen = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) fill(entry.target);
  }, { rootMargin: '800px' });
  for (let start = 0; start < data.rows.length; start += BLOCK) {
    const block = make('div', { className: 'block' });
    block.start = start;
    block.style.minHeight = `${1.5 * Math.min(BLOCK, data.rows.length - start)}em`;
    blocks.push(block);
    seen.observe(block);
  }
  sides.append(...blocks);
  sides.addEventListener('click', event => {
    const row = event.target.closest('.row');
    if (row && event.target.closest('mark')) goToRow(row.index, false);
  });
  section.append(sides);
  view = { file, data, blocks, at: -1 };
}

function fill(block) {
  if (block.filled) return;
  block.filled = true;
  const rows = view.data.rows;
  const made = [];
  for (let i = block.start; i < Math.min(rows.length, block.start + BLOCK); i++) made.push(drawRow(i));
  block.replaceChildren(...made);
  block.style.minHeight = '';
}

function drawRow(index) {
  const { old, now, left, right } = view.data.rows[index];
  const places = view.data.marks.get(index) || [];
  const number = (line, side) => line
    ? make('a', { className: side, href: linkTo('file', `${view.file[1]}:${side === 'old' ? 'u' : ''}${line}`) }, String(line))
    : make('a', { className: `${side} none` });
  const text = (line, side) => line === null ? make('code', { className: `${side} none` })
    : make('code', { className: side }, ...marked(line, spansOf(line, places, side)));
  const row = make('div', { className: 'row' }, number(old, 'old'), text(left, 'old'), number(now, 'new'), text(right, 'new'));
  row.index = index;
  return row;
}

// Shows the details of a row's places, and scrolls to the row.
function goToRow(index, scroll) {
  if (!view || index < 0 || index >= view.data.rows.length) return;
  for (const old of $$('.row.at, .details', $('#file'))) old.matches('.details') ? old.remove() : old.classList.remove('at');
  const block = view.blocks[Math.floor(index / BLOCK)];
  fill(block);
  const row = [...block.children].find(child => child.index === index);
  row.classList.add('at');
  view.at = index;
  const places = view.data.marks.get(index);
  if (places) row.after(details(places));
  if (scroll) row.scrollIntoView({ block: 'center' });
}

function details(places) {
  const close = make('button', { type: 'button', 'aria-label': 'close', click: event => event.target.parentNode.remove() }, '×');
  return make('div', { className: 'details' }, close, make('ul', {}, ...places.map(place => {
    const shown = place.kind === 'hazard' ? [] : place.after === null ? [make('code', {}, visible(place.before))]
      : [make('del', { className: 'code' }, visible(place.before) || '(nothing)'), ' → ',
        make('ins', { className: 'code' }, visible(place.after) || '(nothing)')];
    const rules = place.rules.flatMap(([number, origin]) => {
      const cell = document.getElementById(`rule-${number}`);
      const key = cell ? cell.dataset.rule : '';
      return [make('br'), 'rule ', key ? make('a', { href: linkTo('rule', key), className: 'code' }, key) : '',
        origin ? ` in ${origin}` : ''];
    });
    return make('li', {}, make('mark', { className: place.kind }, KIND_NAMES[place.kind]), ' ', ...shown,
      place.why ? make('span', {}, ` ${place.why}`) : '', ...rules);
  })));
}

// Next (1) or previous (-1) row with a place.
function step(direction) {
  if (!view || $('#file').hidden) return;
  const rows = [...view.data.marks.keys()].sort((a, b) => a - b);
  const next = direction > 0 ? rows.find(row => row > view.at) : rows.findLast(row => row < view.at);
  if (next === undefined) announce('no further place');
  else goToRow(next, true);
}

function neighbour(direction) {
  if (!view) return;
  const next = files[files.indexOf(view.file) + direction];
  if (next) location.hash = linkTo('file', next[1]);
}

// Print shows the whole file, unless it is very long.
window.addEventListener('beforeprint', () => {
  if (view && view.data.rows.length < 5000) view.blocks.forEach(fill);
});
