import type { HouseRule } from './source-file.js'

/**
 * Which of our packages the sources of a workspace may import; the one table of `docs/ARCHITECTURE.md`. Everything flows
 * towards `protocol`; only the composition, `apps/standalone`, imports apps.
 */
export const IMPORT_DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  'packages/protocol': [],
  'packages/telemetry': [],
  'packages/auth': ['protocol', 'telemetry'],
  'packages/core': ['protocol', 'auth'],
  'packages/redis': ['protocol', 'auth', 'core', 'telemetry'],
  'packages/connectors': ['protocol', 'auth', 'core', 'telemetry'],
  'packages/client': ['protocol'],
  'packages/archive': ['protocol'],
  'packages/agent-sdk': ['protocol', 'auth', 'telemetry'],
  'apps/hub': ['protocol', 'auth', 'core', 'redis', 'connectors', 'telemetry'],
  'apps/dispatcher': ['protocol', 'auth', 'core', 'redis', 'connectors', 'archive', 'telemetry'],
  'apps/cli': ['protocol', 'auth', 'client', 'archive', 'telemetry'],
  'apps/dashboard': ['protocol', 'client'],
  'apps/agents/syncboot': ['protocol', 'auth', 'agent-sdk', 'telemetry'],
  'apps/agents/syncinsight': ['protocol', 'auth', 'agent-sdk', 'telemetry'],
  'apps/agents/synceta': ['protocol', 'auth', 'agent-sdk', 'telemetry'],
  // The one agent that calls others.
  'apps/agents/syncverse': ['protocol', 'auth', 'client', 'agent-sdk', 'telemetry'],
  'apps/standalone': [
    'protocol',
    'auth',
    'core',
    'redis',
    'connectors',
    'client',
    'telemetry',
    'hub',
    'dispatcher',
    'cli',
    'syncboot',
    'syncinsight',
    'synceta',
    'syncverse',
  ],
}

/** Sources import our packages only in the direction of the table, and only by their public name. */
export const importDirection: HouseRule = ({ path, workspace, area, imports }) => {
  if (area === 'test') return []
  const allowed = IMPORT_DIRECTIONS[workspace]
  if (allowed === undefined) {
    return [{ path, message: `${workspace} has no line in the table of import directions (IMPORT_DIRECTIONS)` }]
  }
  return imports
    .filter((name) => name.startsWith('@synchub/') && !allowed.includes(name.slice('@synchub/'.length)))
    .map((name) => ({ path, message: `${workspace} must not import ${name}: the import directions do not allow it` }))
}
