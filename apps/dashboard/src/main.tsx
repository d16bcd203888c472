import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { applyLanguage } from './language/language.js'
import { live } from './live/live-connection.js'
import { applyTheme } from './theme/theme.js'

applyTheme()
applyLanguage()
live.open()

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the dashboard')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
