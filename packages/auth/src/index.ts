export {
  type ApiKeyEntry,
  type Authenticator,
  createKeyAuthenticator,
  hashApiKey,
  type KeyAuthenticator,
  openAuthenticator,
  readBearer,
} from './api-keys.js'
export { LOCAL_PRINCIPAL, type Principal } from './principal.js'
export { isScope, mayCallTool, mayCancel, mayGetPrompts, mayRead, mayReadResources, SCOPES } from './scope.js'
