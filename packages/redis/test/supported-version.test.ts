import { expect, test } from '@jest/globals'
import { isSupportedVersion } from '../src/index.js'

test('the version of a Redis is supported from 7.0.0 on, compared as numbers', () => {
  expect(['7.0.0', '7.0.15', '7.10.0', '8.0.1', '10.0.0'].every(isSupportedVersion)).toBe(true)
  expect(['6.2.14', '6.0.16', '5.0.7', '0.0.0'].some(isSupportedVersion)).toBe(false)
})
