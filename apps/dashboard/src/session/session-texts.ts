import { defineTexts } from '../language/texts.js'

/** Words of signing in. */
export const SESSION_TEXTS = defineTexts(
  {
    title: 'Sign in to SyncHub',
    key: 'API key',
    hint: 'The key goes to this hub once and is kept nowhere: the browser holds a session of twelve hours that no script can read.',
    signIn: 'Sign in',
    signingIn: 'Signing in',
    wrongKey: 'The hub does not know this key. Check that it is whole; "synchub keys new" makes one.',
    signOut: 'Sign out',
    local: 'Local, without keys',
  },
  {
    title: 'SyncHub 로그인',
    key: 'API 키',
    hint: '키는 이 허브에 한 번만 전송되며 어디에도 저장되지 않습니다. 브라우저는 스크립트가 읽을 수 없는 12시간짜리 세션만 가집니다.',
    signIn: '로그인',
    signingIn: '로그인하는 중',
    wrongKey: '허브가 모르는 키입니다. 빠진 글자가 없는지 확인하세요. "synchub keys new"로 새로 만들 수 있습니다.',
    signOut: '로그아웃',
    local: '로컬, 키 없음',
  },
)
