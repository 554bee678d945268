// Icons as strokes in a box of 16, drawn for these pages.

const kStrokes = {
  play: 'M5 3l8 5-8 5z',
  pause: 'M5 3v10M11 3v10',
  loop: 'M3 8a5 5 0 0 1 8.5-3.5L13 6M13 3v3h-3M13 8a5 5 0 0 1-8.5 3.5L3 10M3 13v-3h3',
  first: 'M4 3v10M12 3L6 8l6 5z',
  last: 'M12 3v10M4 3l6 5-6 5z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  eyeOff: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM2.5 13.5l11-11',
  isolate: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3',
  frame: 'M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3M5 5h6v6H5z',
  select: 'M4 2l8 6-4 .8L10.5 13l-1.8 1L6.5 9.8 4 12z',
  move: 'M8 1.5v13M1.5 8h13M8 1.5L6.3 3.2M8 1.5l1.7 1.7M8 14.5l-1.7-1.7M8 14.5l1.7-1.7M1.5 8l1.7-1.7M1.5 8l1.7 1.7M14.5 8l-1.7-1.7M14.5 8l-1.7 1.7',
  turn: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 2v3h-3',
  measure: 'M1.5 10.5l9-9 4 4-9 9zM4 8l1.6 1.6M6.5 5.5L8.8 7.8M9 3l1.6 1.6',
  section: 'M8 1.5v13M2 4.5h4v7H2M10 4.5h4M14 7.5v1M14 11.5h-4',
  views: 'M8 1.5l6 3.3v6.4l-6 3.3-6-3.3V4.8zM2 4.8l6 3.2 6-3.2M8 8v6.5',
  collision: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2.6 6h10.8M2.6 10h10.8M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  swept: 'M2 11.5C2 6 6 2.5 11.5 2.5M4.5 13.5C4.5 8.5 8.5 5 13.5 5M2 11.5a1.6 1.6 0 0 0 2.5 2M11.5 2.5a1.6 1.6 0 0 1 2 2.5',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  people: 'M6 3a2.3 2.3 0 1 0 0 4.6a2.3 2.3 0 0 0 0-4.6zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.2a2.2 2.2 0 0 1 0 4.2M12 9.8c1.6.5 2.5 1.8 2.5 3.7',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.5v.6',
  close: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  flip: 'M8 2v12M6 5L2.5 8 6 11zM10 5l3.5 3-3.5 3z',
  undo: 'M5.5 3L2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10.5 3l3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4',
  report: 'M4 1.5h5.5L12.5 4.5v10h-8.5zM9.5 1.5v3h3M6 8h4.5M6 11h4.5',
  trash: 'M3 4.5h10M6 4.5V2.5h4v2M4.5 4.5l.6 9h5.8l.6-9M7 7v4M9 7v4',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  robot: 'M4 6h8v6H4zM8 6V3M6.5 8.5v1M9.5 8.5v1M2.5 8v3M13.5 8v3',
  person: 'M8 2a2.3 2.3 0 1 0 0 4.6A2.3 2.3 0 0 0 8 2zM3.5 14c0-3 2-5 4.5-5s4.5 2 4.5 5',
  part: 'M8 2l5 2.8v6.4L8 14l-5-2.8V4.8zM3 4.8L8 7.6l5-2.8M8 7.6V14',
} as const;

export type IconName = keyof typeof kStrokes;

const kSvg = 'http://www.w3.org/2000/svg';

/** A picture beside or instead of words; screen readers pass over it. */
export function icon(name: IconName, size = 16): SVGSVGElement {
  const svg = document.createElementNS(kSvg, 'svg');
  const attributes = {
    width: size, height: size, viewBox: '0 0 16 16', fill: 'none', stroke: 'currentColor',
    'stroke-width': 1.4, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true',
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, String(value));
  const path = document.createElementNS(kSvg, 'path');
  path.setAttribute('d', kStrokes[name]);
  svg.append(path);
  return svg;
}
