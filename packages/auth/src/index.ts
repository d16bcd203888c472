export {
  type ApiKeyEntry,
  type Authenticator,
  createKeyAuthenticator,
  hashApiKey,
  openAuthenticator,
} from './api-keys.js'
export { LOCAL_PRINCIPAL, type Principal } from './principal.js'
export { isScope, mayCallTool, mayCancel, mayRead, SCOPES } from './scope.js'
