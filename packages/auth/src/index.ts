export {
  type ApiKeyEntry,
  type Authenticator,
  createKeyAuthenticator,
  hashApiKey,
  type KeyAuthenticator,
  openAuthenticator,
  readBearer,
} from './api-keys.js'
export { LOCAL_PRINCIPAL, type Principal, type RunBounds } from './principal.js'
export {
  isRunAccess,
  type MintedRunAccess,
  maskRunAccess,
  mintRunAccess,
  readRunAccess,
  type ShownRunAccess,
} from './run-access.js'
export {
  isScope,
  mayCallTool,
  mayCancel,
  mayGetPrompts,
  mayRead,
  mayReadQueues,
  mayReadResources,
  mayResolve,
  SCOPES,
} from './scope.js'
