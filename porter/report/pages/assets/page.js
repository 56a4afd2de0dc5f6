// Start of the page: navigation, links, keys, light and dark.

const HELP = [
  ['/', 'search'], ['1 to 9', 'sections'], ['n, p', 'next, previous place in a file'], ['[, ]', 'previous, next file'],
  ['arrow keys', 'move in the tree of files and in search results'], ['t', 'light or dark'], ['?', 'this list'], ['Esc', 'close'],
];

const title = document.title;
const sections = $$('main > section').map(section => section.id);

function showSection(id, name) {
  const element = document.getElementById(id);
  const section = element && element.closest('main > section');
  if (!section) return false;
  id = section.id;
  for (const other of $$('main > section')) other.hidden = other !== section;
  for (const link of $$('nav a')) {
    if (link.hash === `#${id}` || (id === 'file' && link.hash === '#files')) {
      link.setAttribute('aria-current', 'page');
      link.closest('ul').scrollLeft = link.offsetLeft - link.closest('ul').offsetLeft - 40;  // on a narrow screen
    }
    else link.removeAttribute('aria-current');
  }
  const head = $('h2', section);
  document.title = `${name || (head ? head.textContent : id)} · ${title}`;
  return true;
}

// Shows the row of a cell whose data attribute has the value.
function showCell(attribute, text) {
  const cell = $$(`td[data-${attribute}]`).find(one => one.dataset[attribute] === text);
  if (!cell) { announce(`not on this page: ${text}`); return; }
  const section = cell.closest('main > section');
  showSection(section.id, text);
  if (section.showAll) section.showAll();
  for (const other of $$('tr.found')) other.classList.remove('found');
  const row = cell.closest('tr');
  row.classList.add('found');
  row.scrollIntoView({ block: 'center' });
  const more = $('.places details', row);
  if (more) more.open = true;
}

const ROUTES = {
  file: showFile,
  rule: text => showCell('rule', text),
  word: text => showCell('word', text),
  row: text => showCell('row', text),
  op: showOperator,
  text: showDiff,
};

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

function route() {
  const hash = location.hash.slice(1);
  if (hash === 'main' && document.documentElement.dataset.ready) return;  // the link that skips the navigation
  const at = hash.indexOf('=');
  const kind = at < 0 ? '' : hash.slice(0, at);
  if (Object.hasOwn(ROUTES, kind)) ROUTES[kind](decoded(hash.slice(at + 1)));
  else if (showSection(hash || sections[0]) || showSection(sections[0])) window.scrollTo(0, 0);
}

function follow(link) {
  if (location.hash === link) route();
  else location.hash = link;
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $('#theme').setAttribute('aria-pressed', String(theme === 'dark'));
  store('porter-theme', theme);
}

function makeHelp() {
  const help = make('dialog', { id: 'help', 'aria-label': 'keys' }, make('h2', {}, 'Keys'),
    make('dl', {}, ...HELP.flatMap(([key, text]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, text)])),
    make('form', { method: 'dialog' }, make('button', {}, 'Close')));
  document.body.append(help);
  return help;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input, select, textarea') || $('dialog[open]')) return;
  if (event.key === '/') $('#search').focus();
  else if (event.key === '?') $('#help').showModal();
  else if (event.key === 't') setTheme(isDark() ? 'light' : 'dark');
  else if (event.key === 'n') step(1);
  else if (event.key === 'p') step(-1);
  else if (event.key === '[') neighbour(-1);
  else if (event.key === ']') neighbour(1);
  else if (/^[1-9]$/.test(event.key) && sections[event.key - 1]) location.hash = sections[event.key - 1];
  else return;
  event.preventDefault();
}

async function start() {
  const tools = $('#tools');
  makeSearch(tools);
  tools.append(
    make('button', { type: 'button', id: 'theme', title: 'light or dark (t)', 'aria-pressed': 'false', click: () => setTheme(isDark() ? 'light' : 'dark') }, 'Dark'),
    make('button', { type: 'button', title: 'keys (?)', 'aria-label': 'keys', click: () => $('#help').showModal() }, '?'));
  tools.hidden = false;
  makeHelp();
  const theme = stored('porter-theme');
  if (theme === 'light' || theme === 'dark') setTheme(theme);
  else $('#theme').setAttribute('aria-pressed', String(isDark()));
  for (const section of $$('main > section')) {
    makeTree(section);
    addFilters(section);
  }
  makeWorklist();
  await makeMatrix();
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', route);
  route();
  document.documentElement.dataset.ready = 'yes';
  const idle = window.requestIdleCallback || (action => setTimeout(action, 200));
  idle(() => loadTexts().then(() => { document.documentElement.dataset.searchable = 'yes'; }));
}

start();
