// Jest wants its global setup to be a module's default export.
export { startTestRedis as default } from './test-redis.mjs'
