// The report of a run: everything it shows stands in the page itself.
import '../ui/theme.css';
import './report.css';
import { h } from '../ui/dom';
import { createTheme } from '../ui/theme';
import { readResult } from '../outcome/data';
import { readLink } from './link';
import { loadPacks } from './packs';
import { ReportPage } from './page';

async function open(): Promise<void> {
  const root = document.getElementById('report')!;
  const look = createTheme();
  const link = readLink(location.hash);
  if (link.theme) look.theme.set(link.theme);
  document.body.classList.toggle('picture', link.picture);
  const data = readResult(document.getElementById('geste-result')?.textContent ?? '');
  if (!data) {
    root.replaceChildren(h('main', null, h('h1', null, 'This page holds no result that could be read.')));
    document.body.dataset.ready = '1';
    return;
  }
  new ReportPage(root, data, await loadPacks(document), look);
}

void open();
