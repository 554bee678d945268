// Colours of the picture itself, for both themes.

export type Theme = 'dark' | 'light';

export interface Palette {
  background: string; grid: string; gridOpacity: number;
  sky: string; ground: string; ambient: number; key: number; fill: number;
  section: string; ink: string; halo: string;
}

export const kPalettes: Record<Theme, Palette> = {
  dark: {
    background: '#171b21', grid: '#8b98a9', gridOpacity: 0.34,
    sky: '#eef3ff', ground: '#5b5348', ambient: 1.45, key: 1.75, fill: 0.55,
    section: '#d9a441', ink: '#f2f5f9', halo: '#10141a',
  },
  light: {
    background: '#eef1f5', grid: '#55606f', gridOpacity: 0.3,
    sky: '#ffffff', ground: '#8d857b', ambient: 1.6, key: 1.7, fill: 0.5,
    section: '#c98a1b', ink: '#14181d', halo: '#ffffff',
  },
};

export const kAxisColours = { x: '#e5484d', y: '#3aa757', z: '#3b82f6' } as const;
