// Filters, facets and sorting of tables.

const LARGE = 12;  // rows from which a section gets a filter
const NUMBER = /^[+-]?[\d,]*\.?\d+$/;
const value = cell => {
  const text = cell.textContent.trim();
  return NUMBER.test(text) ? Number(text.replace(/,/g, '')) : text === '' ? -1 : text;
};

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

function sortBy(table, column, head) {
  const descending = head.getAttribute('aria-sort') !== 'descending';
  for (const other of $$('th[aria-sort]', table)) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const rows = [...body.rows].map(row => [value(row.cells[column]), row]);
  rows.sort(([a], [b]) => (descending ? -1 : 1) * compare(a, b));
  body.append(...rows.map(([, row]) => row));
}

function makeSortable(table) {
  $$('thead th', table).forEach((head, column) => {
    const label = head.textContent;
    if (!label) return;
    head.replaceChildren(make('button', { type: 'button', click: () => sortBy(table, column, head) }, label));
  });
}

// Select with the values of one column; returns null if the values are all equal.
function facetOf(table, column, changed) {
  const name = table.tHead.rows[0].cells[column].textContent;
  const values = [...new Set([...table.tBodies[0].rows].map(row => row.cells[column].textContent))].sort();
  if (values.length < 2) return null;
  const select = make('select', { 'aria-label': name, change: changed },
    make('option', { value: '' }, `all: ${name}`),
    ...values.map(text => make('option', { value: `=${text}` }, text || '(none)')));
  return { select, column };
}

// Adds one text filter for all tables of a section, and the facets of each table.
function addFilters(section) {
  const tables = $$('table', section).filter(table => !table.matches('.tree, .matrix, .plain'));
  for (const table of tables) if (table.tBodies[0].rows.length > 1) makeSortable(table);
  if (section.id === 'overview' || !tables.some(table => table.tBodies[0].rows.length > LARGE)) return;
  const text = make('input', { type: 'search', placeholder: 'filter', 'aria-label': `filter: ${section.id}` });
  const output = make('output', { 'aria-live': 'polite' });
  const facets = [];
  const known = new Map();
  const show = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0, all = 0;
    for (const table of tables) {
      const wanted = facets.filter(facet => facet.table === table && facet.select.value);
      let here = 0;
      for (const row of table.tBodies[0].rows) {
        if (!known.has(row)) known.set(row, row.textContent.toLowerCase());
        const fits = words.every(word => known.get(row).includes(word)) &&
          wanted.every(({ select, column }) => row.cells[column].textContent === select.value.slice(1));
        row.hidden = !fits;
        here += fits;
      }
      shown += here;
      all += table.tBodies[0].rows.length;
      table.hidden = here === 0;
    }
    output.textContent = shown === all ? plural(all, 'row') : `${shown.toLocaleString('en')} of ${plural(all, 'row')}`;
  };
  for (const table of tables) {
    for (const column of (table.dataset.facets || '').split(' ').filter(Boolean).map(Number)) {
      const facet = facetOf(table, column, show);
      if (facet) facets.push({ ...facet, table });
    }
  }
  text.addEventListener('input', show);
  section.insertBefore(make('div', { className: 'filters' }, text, ...facets.map(f => f.select), output),
    section.children[1] || null);
  section.showAll = () => { text.value = ''; for (const { select } of facets) select.value = ''; show(); };
  show();
}

// Links for the lines of `path: 1, 2, 3`, made when a list of places is opened.
function linkPlaces(details) {
  const text = $('pre', details);
  if (!text || text.dataset.linked) return;
  text.dataset.linked = '1';
  const parts = [];
  for (const line of text.textContent.split('\n')) {
    const [, path, numbers] = /^(.*): ([\d, ]+)$/.exec(line) || [];
    if (!path) { parts.push(`${line}\n`); continue; }
    parts.push(make('a', { href: linkTo('file', path) }, path), ': ');
    numbers.split(', ').forEach((number, index) => parts.push(index ? ', ' : '',
      make('a', { href: linkTo('file', `${path}:${number}`) }, number)));
    parts.push('\n');
  }
  text.replaceChildren(...parts);
}

document.addEventListener('toggle', event => {
  if (event.target.matches('.places details') && event.target.open) linkPlaces(event.target);
}, true);
