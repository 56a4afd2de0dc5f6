// Matrix of results: operators x dtypes, with the worst status of all checks or of one check. Tests have no dtype: their
// columns are the statuses.

const LETTERS = { pass: '·', fallback: 'C', fail: 'F', unsupported: 'U', crash: '!', hang: 'H', skipped: '-' };
const WORST = ['crash', 'hang', 'fail', 'unsupported', 'fallback', 'pass', 'skipped'];
const SHOWN_ROWS = 100;
const SHOWN_TESTS = 300;
let matrix = null;

async function makeMatrix() {
  const place = $('#matrix');
  if (!place) return;
  const data = await unpack('results-data');
  const byOp = data.ops.map(() => []);
  for (const row of data.rows) byOp[row[0]].push(row);
  const order = data.ops.map((name, index) => index).sort((a, b) => data.ops[a].localeCompare(data.ops[b], 'en', { numeric: true }));
  matrix = { data, byOp, order, limit: SHOWN_ROWS, text: null, check: null, status: null, table: make('div', { className: 'scroll', tabIndex: 0 }) };
  const choice = (label, values, all) => make('select', { 'aria-label': label, change: redraw },
    make('option', { value: '' }, all), ...values.map(value => make('option', { value }, value)));
  matrix.text = make('input', { type: 'search', placeholder: 'operator', 'aria-label': 'operator', input: redraw });
  matrix.status = choice('status', data.statuses, 'any status');
  matrix.dtype = choice('dtype', data.dtypes, 'all dtypes');
  matrix.check = choice('check', data.dtypes.length ? data.checks : [], 'all checks');
  matrix.output = make('output', { 'aria-live': 'polite' });
  place.append(
    make('div', { className: 'filters' }, matrix.text, matrix.status,
      ...(data.dtypes.length ? [matrix.check, matrix.dtype] : []), matrix.output),
    make('p', { className: 'legend' }, ...WORST.flatMap(name => [make('b', { className: name }, LETTERS[name]), ` ${name} `])),
    matrix.table);
  drawMatrix();
}

function redraw() {
  matrix.limit = SHOWN_ROWS;
  drawMatrix();
}

function wanted(row) {
  const { data } = matrix;
  return (!matrix.check.value || data.checks[row[2]] === matrix.check.value) &&
    (!matrix.dtype.value || data.dtypes[row[1]] === matrix.dtype.value);
}

function drawMatrix() {
  const { data, byOp, order } = matrix;
  const words = matrix.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = data.statuses.indexOf(matrix.status.value);
  const dtypes = data.dtypes.length > 0;
  const found = order.filter(op => words.every(word => data.ops[op].toLowerCase().includes(word)) &&
    byOp[op].some(row => wanted(row) && (status < 0 || row[3] === status)));
  const columns = dtypes ? data.dtypes.map((name, index) => [name, index]).filter(([name]) => !matrix.dtype.value || name === matrix.dtype.value)
    : data.statuses.map((name, index) => [name, index]);
  const body = make('tbody', {}, ...found.slice(0, matrix.limit).map(op => matrixRow(op, columns, dtypes)));
  const table = make('table', { className: 'matrix' }, make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, dtypes ? 'operator' : 'class'),
    ...columns.map(([name]) => make('th', { scope: 'col' }, name)))), body);
  table.addEventListener('click', event => {
    const row = event.target.closest('tbody tr');
    if (row && row.op !== undefined) toggleResults(row);
  });
  const more = found.length > matrix.limit
    ? [make('button', { type: 'button', click: () => { matrix.limit *= 4; drawMatrix(); } }, `show more of ${found.length.toLocaleString('en')}`)] : [];
  matrix.table.replaceChildren(table, ...more);
  matrix.output.textContent = `${found.length.toLocaleString('en')} of ${plural(order.length, dtypes ? 'operator' : 'class')}`;
}

function matrixRow(op, columns, dtypes) {
  const { data, byOp } = matrix;
  const rows = byOp[op].filter(wanted);
  const cells = columns.map(([name, index]) => {
    if (!dtypes) {
      const count = rows.filter(row => row[3] === index).length;
      return make('td', { className: count ? name : '' }, count ? count.toLocaleString('en') : '');
    }
    const here = new Set(rows.filter(row => row[1] === index).map(row => data.statuses[row[3]]));
    const worst = WORST.find(status => here.has(status));
    return worst ? make('td', { className: worst, title: `${data.ops[op]} ${name}: ${[...here].join(', ')}` }, LETTERS[worst]) : make('td');
  });
  const row = make('tr', {}, make('th', { scope: 'row' }, make('button', { type: 'button', className: 'fold code', 'aria-expanded': 'false' }, data.ops[op])), ...cells);
  row.op = op;
  return row;
}

// Opens or closes the list of an operator's results below its row.
function toggleResults(row) {
  const open = row.nextSibling && row.nextSibling.op === undefined ? row.nextSibling : null;
  $('button', row).setAttribute('aria-expanded', String(!open));
  if (open) { open.remove(); return; }
  const { data, byOp } = matrix;
  const status = data.statuses.indexOf(matrix.status.value);
  const results = byOp[row.op].filter(one => wanted(one) && (status < 0 || one[3] === status))
    .sort((a, b) => WORST.indexOf(data.statuses[a[3]]) - WORST.indexOf(data.statuses[b[3]]));
  const note = index => index < 0 ? '' : visible(data.notes[index]);
  const list = make('ul', {}, ...results.slice(0, SHOWN_TESTS).map(one => make('li', {},
    make('b', { className: data.statuses[one[3]] }, data.statuses[one[3]]), ` ${data.checks[one[2]]} ${data.dtypes[one[1]] ?? ''} `,
    note(one[4]), one[5] < 0 ? '' : make('div', { className: 'why' }, `expected: ${note(one[5])}`),
    one[6] < 0 ? '' : make('div', {}, make('code', {}, note(one[6]))))));
  if (results.length > SHOWN_TESTS) list.append(make('li', {}, `and ${(results.length - SHOWN_TESTS).toLocaleString('en')} more; choose a status`));
  const cell = make('td', { colSpan: row.cells.length, className: 'details' }, list);
  row.after(make('tr', {}, cell));
}

async function showOperator(name) {
  if (!matrix) { showCell('op', name); return; }
  showSection('operators', name);
  for (const select of [matrix.status, matrix.check, matrix.dtype]) select.value = '';
  matrix.text.value = name;
  redraw();
  const row = $$('tbody tr', matrix.table).find(one => matrix.data.ops[one.op] === name);
  if (!row) { announce(`not on this page: ${name}`); return; }
  row.classList.add('found');
  toggleResults(row);
  row.scrollIntoView({ block: 'center' });
}
