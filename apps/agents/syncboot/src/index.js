export { createSyncBoot } from './agent.js';
