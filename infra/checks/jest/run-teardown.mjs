// Jest wants its global teardown to be a module's default export.
export { endTestRedis as default } from './test-redis.mjs'
