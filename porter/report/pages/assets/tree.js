// Tree of files: rows of folders with sums above the rows of their files.

const SHADES = 5;

function makeTree(section) {
  const table = $('table.tree', section);
  if (!table) return;
  const body = table.tBodies[0];
  const files = [...body.rows].map(row => ({ row, path: row.cells[0].dataset.path,
    numbers: [...row.cells].slice(1, -1).map(cell => Number(cell.textContent.replace(/,/g, ''))) }));
  const most = files.length ? files[0].numbers.map((_, i) => Math.max(0, ...files.map(f => f.numbers[i]))) : [];
  const rows = addFolders(files, most);
  body.replaceChildren(...rows.map(item => item.row));
  const open = new Set(rows.filter(item => item.folder && item.depth === 0).map(item => item.path));
  const text = make('input', { type: 'search', placeholder: 'filter files', 'aria-label': 'filter: files' });
  const output = make('output', { 'aria-live': 'polite' });
  const only = make('select', { 'aria-label': 'files with' }, make('option', { value: '' }, 'all files'),
    ...[...table.tHead.rows[0].cells].slice(1, -1).map((head, index) =>
      make('option', { value: String(index + 1) }, `with: ${head.textContent}`)));
  const show = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const flat = words.length > 0 || only.value !== '';
    table.classList.toggle('nested', !flat);
    let shown = 0;
    for (const item of rows) {
      if (flat) {
        const fits = !item.folder && words.every(word => item.path.toLowerCase().includes(word)) &&
          (!only.value || item.numbers[only.value - 1] > 0);
        item.row.hidden = !fits;
        shown += fits;
      } else {
        item.row.hidden = item.above.some(path => !open.has(path));
        if (item.folder) $('button', item.row).setAttribute('aria-expanded', open.has(item.path));
      }
      item.row.cells[0].classList.toggle(`d${Math.min(8, item.above.length)}`, !flat);
    }
    output.textContent = flat ? `${shown.toLocaleString('en')} of ${plural(files.length, 'file')}` : plural(files.length, 'file');
  };
  const toggle = path => { open.has(path) ? open.delete(path) : open.add(path); show(); };
  for (const item of rows) if (item.folder) $('button', item.row).addEventListener('click', () => toggle(item.path));
  const all = (label, action) => make('button', { type: 'button', click: () => { action(); show(); } }, label);
  text.addEventListener('input', show);
  only.addEventListener('change', show);
  section.insertBefore(make('div', { className: 'filters' }, text, only,
    all('expand all', () => rows.forEach(item => item.folder && open.add(item.path))),
    all('collapse', () => open.clear()), output), section.children[1]);
  table.addEventListener('keydown', event => moveInTree(event, rows, toggle, open));
  show();
}

// Rows of folders and files. A folder whose only entry is a folder shares a row with it.
function addFolders(files, most) {
  const sums = new Map();
  const children = new Map();
  for (const file of files) {
    const parts = file.path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      const sum = sums.get(folder) || file.numbers.map(() => 0);
      file.numbers.forEach((number, index) => { sum[index] += number; });
      sums.set(folder, sum);
      if (!children.has(folder)) children.set(folder, new Set());
      children.get(folder).add(parts.slice(0, depth + 1).join('/'));
    }
  }
  const merged = folder => children.get(folder).size === 1 && sums.has([...children.get(folder)][0]);
  const rows = [];
  const seen = new Set();
  for (const file of files) {
    const parts = file.path.split('/');
    const above = [];
    let start = 0;
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      if (merged(folder)) continue;
      if (!seen.has(folder)) {
        seen.add(folder);
        const row = folderRow(folder, parts.slice(start, depth).join('/'), sums.get(folder), most);
        rows.push({ row, path: folder, folder: true, depth: above.length, above: [...above] });
      }
      above.push(folder);
      start = depth;
    }
    rows.push({ ...file, depth: above.length, above });
  }
  return rows;
}

function folderRow(path, name, sums, most) {
  const cell = make('td', { className: 'code folder' },
    make('button', { type: 'button', className: 'fold', 'aria-expanded': 'false', 'aria-label': path }, '▸'), `${name}/`);
  const numbers = sums.map((sum, index) => {
    const shade = sum ? Math.min(SHADES, Math.ceil(SHADES * Math.log1p(sum) / Math.log1p(most[index]))) : 0;
    return make('td', { className: shade ? `n h${shade}` : 'n' }, sum ? sum.toLocaleString('en') : '');
  });
  return make('tr', {}, cell, ...numbers, make('td'));
}

function moveInTree(event, rows, toggle, open) {
  const row = event.target.closest('tr');
  const item = rows.find(one => one.row === row);
  if (!item) return;
  const focus = one => $('a, button', one.row).focus();
  const shown = rows.filter(one => !one.row.hidden);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const next = shown[shown.indexOf(item) + step];
    if (next) focus(next);
  } else if (event.key === 'ArrowRight' && item.folder && !open.has(item.path)) toggle(item.path);
  else if (event.key === 'ArrowLeft' && item.folder && open.has(item.path)) toggle(item.path);
  else if (event.key === 'ArrowLeft' && item.above.length) focus(rows.find(one => one.path === item.above.at(-1)));
  else return;
  event.preventDefault();
}
