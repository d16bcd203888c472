import { Settings } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { Button } from '../controls/button.js'
import { LANGUAGE_NAMES, type Language, languagePreference, useLanguage } from '../language/language.js'
import { useTexts } from '../language/texts.js'
import { useSession, useSignIn } from '../session/session.js'
import { SESSION_TEXTS } from '../session/session-texts.js'
import { THEMES, type Theme, themePreference } from '../theme/theme.js'
import styles from './frame.module.css'
import { FRAME_TEXTS } from './frame-texts.js'

/** Language, appearance, and who one is. */
export function SettingsMenu() {
  const texts = useTexts(FRAME_TEXTS)
  const words = useTexts(SESSION_TEXTS)
  const language = useLanguage()
  const theme = useSyncExternalStore(themePreference.subscribe, themePreference.read)
  const { access, subject, tenant, agent } = useSession()
  const { signOut } = useSignIn()
  const id = useId()
  return (
    <>
      <button type="button" className={styles.settings} popoverTarget={id}>
        <Settings size={15} aria-hidden />
        <span className="visually-hidden">{texts.settings}</span>
        <span className={styles.account}>{access === 'none' ? words.local : `${subject} · ${tenant}`}</span>
      </button>
      <div id={id} popover="auto" className={styles.menu}>
        <label className={styles.choice}>
          <span>{texts.language}</span>
          <select value={language} onChange={({ target }) => languagePreference.write(target.value as Language)}>
            {Object.entries(LANGUAGE_NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.choice}>
          <span>{texts.theme}</span>
          <select value={theme} onChange={({ target }) => themePreference.write(target.value as Theme)}>
            {THEMES.map((value) => (
              <option key={value} value={value}>
                {texts.themes[value]}
              </option>
            ))}
          </select>
        </label>
        {access === 'keys' && (
          <div className={styles.choice}>
            <span>
              {subject} · {agent}
            </span>
            <Button onClick={() => void signOut()}>{words.signOut}</Button>
          </div>
        )}
      </div>
    </>
  )
}
