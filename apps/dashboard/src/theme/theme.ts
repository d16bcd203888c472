import { createPreference } from './preference.js'

/** How the pages look: as the system does, or one way always. */
export type Theme = 'system' | 'light' | 'dark'

/** All themes, in the order of the switch. */
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** The theme that this browser chose. */
export const themePreference = createPreference<Theme>('synchub-theme', THEMES, () => 'system')

/** Shows the chosen theme, now and whenever it changes. */
export function applyTheme(): void {
  const apply = () => {
    const theme = themePreference.read()
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
  apply()
  themePreference.subscribe(apply)
}
