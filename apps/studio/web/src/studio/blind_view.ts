// Stands in for the 3D view where the browser has no WebGL: everything else goes on.
import type { Camera, ScenePack, View } from '../view/contract';

export function createBlindView(pack: ScenePack): View {
  let camera: Camera = { position: [3, -3, 2], target: [0, 0, 0] };
  const listeners: (() => void)[] = [];
  const nothing = (): void => {};
  return {
    pack,
    setPoses: nothing, look: nothing, showCollision: nothing, select: nothing, alarm: nothing, ghost: nothing,
    trace: nothing, lines: nothing, space: nothing, section: nothing, onPick: nothing, gizmo: nothing, onGizmo: nothing, setView: nothing,
    frame: nothing, focus: nothing, unfocus: nothing, setTheme: nothing, dispose: nothing, onGraphics: nothing,
    pick: () => null,
    picture: () => null,
    marks: { gap: nothing, remove: nothing },
    camera: () => camera,
    setCamera(next) {
      camera = next;
      for (const listener of listeners) listener();
    },
    onCamera: (listener) => listeners.push(listener),
    bounds: () => null,
    settled: () => Promise.resolve(),
  } as View;
}
