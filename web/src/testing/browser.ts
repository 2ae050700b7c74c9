// What browsers have and that of the tests has not: it lays nothing out, so nothing there ever changes its size.

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
