// Unified diffs of changed files, shown when their entry is opened.

const DIFF_CLASSES = { '+': 'ins', '-': 'del' };

async function fillDiff(details) {
  if ($('pre', details)) return;
  const pre = make('pre', { className: 'diff' });
  details.append(pre);
  const text = (await unpack('texts-data'))[details.dataset.text] || '';
  const nodes = text.replace(/\n$/, '').split('\n').map((line, index, all) => {
    const name = /^(?:---|\+\+\+) /.test(line) ? 'b' : DIFF_CLASSES[line[0]] || 'span';
    return make(name, {}, visible(line) + (index < all.length - 1 ? '\n' : ''));
  });
  pre.replaceChildren(...nodes);
}

function showDiff(path) {
  const details = $$('details[data-text]').find(one => one.dataset.text === path);
  if (!details) { announce(`not on this page: ${path}`); return; }
  showSection(details.closest('main > section').id, path);
  details.open = true;
  details.scrollIntoView();
}

document.addEventListener('toggle', event => {
  if (event.target.matches('details[data-text]') && event.target.open) fillDiff(event.target);
}, true);
