// Check boxes for the rows of a list of work. The ticks are stored in the browser.

const taskKey = task => `porter-work:${document.title.split(' · ').at(-1)}:${task}`;

function makeWorklist() {
  const cells = $$('td[data-task]');
  if (!cells.length) return;
  const progress = $('#work-progress');
  const count = () => {
    const done = cells.filter(cell => cell.closest('tr').classList.contains('done')).length;
    if (progress) progress.textContent = `${done.toLocaleString('en')} of ${plural(cells.length, 'row')} done (stored in this browser)`;
  };
  for (const cell of cells) {
    const row = cell.closest('tr');
    const box = make('input', { type: 'checkbox', 'aria-label': `done: ${cell.dataset.row}`, change: () => {
      row.classList.toggle('done', box.checked);
      store(taskKey(cell.dataset.task), box.checked ? 'done' : '');
      count();
    } });
    box.checked = stored(taskKey(cell.dataset.task)) === 'done';
    row.classList.toggle('done', box.checked);
    cell.prepend(box, ' ');
  }
  count();
}
