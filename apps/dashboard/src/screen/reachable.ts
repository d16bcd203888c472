/** What scrolls must be reached by keyboard (WCAG 2.1.1), though nothing in it may be one to press. */
export function makeReachable(element: HTMLElement | null): void {
  if (element !== null) element.tabIndex = 0
}
