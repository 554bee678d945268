// A strip over time in the colours of clearance.
import { clearanceColour, sliceClearance, type ClearanceSpan } from './clearance';
import { h } from './dom';

export interface Ribbon { readonly element: HTMLCanvasElement; dispose(): void }

export function createRibbon(spans: readonly ClearanceSpan[], begin: number, end: number): Ribbon {
  const element = h('canvas', { class: 'timeline-ribbon', 'aria-hidden': 'true' });
  if (typeof ResizeObserver === 'undefined') return { element, dispose: () => {} };
  const observer = new ResizeObserver(() => draw(element, spans, begin, end));
  observer.observe(element);
  return { element, dispose: () => observer.disconnect() };
}

function draw(canvas: HTMLCanvasElement, spans: readonly ClearanceSpan[], begin: number, end: number): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
  sliceClearance(spans, begin, end, canvas.width).forEach((clearance, x) => {
    context.fillStyle = clearanceColour(clearance);
    context.fillRect(x, 0, 1, canvas.height);
  });
}
