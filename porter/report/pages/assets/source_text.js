// Texts of files: rows with the upstream line and the ported line, and the places on them.

const KINDS = ['edit', 'patch', 'left', 'hazard'];
const KIND_NAMES = { edit: 'edit', patch: 'patch', left: 'remaining word', hazard: 'may be wrong' };

let files = null;          // [upstream path, ported path, chunk, index in the chunk]
const byPath = new Map();  // upstream path and ported path -> file

async function loadFiles() {
  if (files) return files;
  const list = await unpack('files-index') || [];
  for (const file of list) byPath.set(file[0], file);
  for (const file of list) byPath.set(file[1], file);
  files = list;
  return files;
}

async function loadText(file) {
  if (file[2] < 0) return null;
  const chunk = await unpack(`chunk-${file[2]}`);
  const data = chunk[file[3]];
  if (!data.rows) expand(data);
  return data;
}

// Adds `rows` ({ old, now, left, right }) and `marks` (row index -> places) to the data of a file.
function expand(data) {
  const upstream = data.u.split('\n');
  const changed = new Map();
  for (let i = 0; i < data.c.length; i += 2) changed.set(data.c[i], data.c[i + 1]);
  data.rows = [];
  for (const [old, now, count] of data.r) {
    for (let i = 0; i < count; i++) {
      const index = data.rows.length;
      const left = old ? upstream[old + i - 1] : null;
      const right = now ? (changed.has(index) ? changed.get(index) : left) : null;
      data.rows.push({ old: old ? old + i : 0, now: now ? now + i : 0, left, right });
    }
  }
  data.places = data.e.map(([kind, line, ported, lines, column, before, after, rules, why]) => ({
    kind: KINDS[kind], line, ported, lines, column, rules, why,
    before: typeof before === 'number' ? upstream[line - 1].slice(column - 1, column - 1 + before) : before,
    after: after === 0 ? null : after }));
  const byOld = new Map(), byNow = new Map();
  data.rows.forEach((row, index) => {
    if (row.old) byOld.set(row.old, index);
    if (row.now) byNow.set(row.now, index);
  });
  data.rowOf = (number, upstreamLine) => (upstreamLine ? byOld : byNow).get(number) ?? -1;
  data.marks = new Map();
  for (const place of data.places) {
    const row = place.line && byOld.has(place.line) && place.kind !== 'patch' ? byOld.get(place.line) : byNow.get(place.ported);
    place.row = row ?? byOld.get(place.line) ?? 0;
    if (!data.marks.has(place.row)) data.marks.set(place.row, []);
    data.marks.get(place.row).push(place);
  }
}

// Spans [start, end, place] of the places in one line of text. Of nested spans, the inner span comes later.
function spansOf(text, places, side) {
  const spans = [];
  let from = 0;
  for (const place of places) {
    const wanted = side === 'old' || place.after === null ? place.before : place.after;
    const first = wanted.split('\n')[0];
    if (place.kind === 'hazard') {
      const start = text.search(/\S/);
      if (start >= 0) spans.push([start, text.trimEnd().length, place]);
      continue;
    }
    if (!first.trim()) continue;
    let start = side === 'old' && place.column ? place.column - 1 : text.indexOf(first, from);
    if (!text.startsWith(first, start)) start = text.indexOf(first);
    if (start < 0) continue;
    spans.push([start, start + first.length, place]);
    if (side === 'new') from = start + (places.length > 1 ? 1 : first.length);
  }
  return spans;
}

// Nodes for a line of text in which the spans are marked.
function marked(text, spans) {
  if (!spans.length) return [visible(text)];
  const owner = new Array(text.length).fill(null);
  for (const [start, end, place] of [...spans].sort((a, b) => (b[1] - b[0]) - (a[1] - a[0]))) {
    for (let i = start; i < end && i < text.length; i++) owner[i] = place;
  }
  const nodes = [];
  for (let i = 0; i < text.length;) {
    let end = i + 1;
    while (end < text.length && owner[end] === owner[i]) end++;
    const part = visible(text.slice(i, end));
    nodes.push(owner[i] ? make('mark', { className: owner[i].kind, title: KIND_NAMES[owner[i].kind] }, part) : part);
    i = end;
  }
  return nodes;
}
