import { defineTexts } from '../language/texts.js'
import type { Theme } from '../theme/theme.js'

const THEMES_EN: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }
const THEMES_KO: Readonly<Record<Theme, string>> = { system: '시스템 설정', light: '밝게', dark: '어둡게' }

/** Words of the frame around all pages. */
export const FRAME_TEXTS = defineTexts(
  {
    navigation: 'Pages',
    queues: 'Queues',
    skip: 'Skip to the content',
    language: 'Language',
    theme: 'Appearance',
    themes: THEMES_EN,
    settings: 'Settings and account',
    connecting: 'Connecting',
    live: 'Live',
    lost: 'Not connected',
    again: (seconds: string) => `Trying again in ${seconds}`,
    refused: 'Signed out',
  },
  {
    navigation: '페이지',
    queues: '대기열',
    skip: '본문으로 건너뛰기',
    language: '언어',
    theme: '화면 모드',
    themes: THEMES_KO,
    settings: '설정과 계정',
    connecting: '연결하는 중',
    live: '실시간',
    lost: '연결 끊김',
    again: (seconds: string) => `${seconds} 후 다시 시도`,
    refused: '로그아웃됨',
  },
)
