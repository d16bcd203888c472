// Lets the suite start on Node 20: it imports a function of Node 22 that it needs for one of its commands only.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
