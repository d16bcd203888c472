/** Whether anything on the page has ever had the focus. */
let wasTaken = false
addEventListener('focusin', () => (wasTaken = true), { once: true })

/**
 * Gives the focus to what has come, where what had it is gone: keys would lead nowhere. A page that was only just loaded leaves it
 * before everything, so that the way past the navigation comes first.
 */
export function takeLostFocus(element: HTMLElement | null): void {
  if (wasTaken && document.activeElement === document.body) element?.focus({ preventScroll: true })
}
