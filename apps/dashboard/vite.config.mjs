import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
/** What the hub serves; the compiler's own output lies beside it. */
const site = join(root, 'dist', 'site')

/** Everything is compressed once, here, and never while it is served. */
const compressed = {
  name: 'compressed',
  closeBundle() {
    for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:js|css|html|svg)$/.test(name)) continue
      const bytes = readFileSync(join(site, name))
      const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      writeFileSync(join(site, `${name}.br`), brotliCompressSync(bytes, { params: quality }))
      writeFileSync(join(site, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  root,
  base: '/ui/',
  plugins: [compressed],
  build: {
    outDir: site,
    emptyOutDir: true,
    target: 'es2023',
    // A Content-Security-Policy without `data:` for scripts and styles; small files are few.
    assetsInlineLimit: 0,
    // The page's own hashed names; `modulepreload` is everywhere that this target is.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark files for servers that render; here everything runs in the browser.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
  },
  worker: { format: 'es' },
})
