import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listeningUrl } from '../../processes/listening-url.mjs'

const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so'
const READY_WITHIN_MS = 10_000

/** What has to be installed for this peer, on Debian. */
export const NCHAN_PACKAGES = 'nginx libnginx-mod-nchan'

/** Whether nginx with Nchan is installed here. */
export function hasNchan() {
  return existsSync(MODULE) && spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0
}

/**
 * Nchan with one worker process, which is what one hub is, and messages in memory only.
 *
 * @param {import('../../processes/room.mjs').Room} room
 * @returns {Promise<string>} its URL; `/pub` takes events, `/sub` streams them
 */
export async function startNchan(room) {
  const folder = join(room.folder, 'nchan')
  mkdirSync(folder)
  const port = await findFreePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, port))
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  room.atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  for (const endAt = Date.now() + READY_WITHIN_MS; ; ) {
    if (await canConnect(port)) return `http://127.0.0.1:${port}`
    if (child.exitCode !== null || Date.now() > endAt) throw new Error('nginx with Nchan did not start')
    await delay(20)
  }
}

/**
 * @param {string} folder
 * @param {number} port
 */
function configuration(folder, port) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `load_module ${MODULE};
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 8192; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  keepalive_requests 100000000;
  keepalive_timeout 3600s;
  server {
    listen 127.0.0.1:${port};
    location = /pub {
      nchan_publisher;
      nchan_channel_id fan-out;
      nchan_message_buffer_length 10000;
      nchan_message_timeout 60s;
    }
    location = /sub {
      nchan_subscriber eventsource;
      nchan_channel_id fan-out;
      nchan_subscriber_first_message newest;
    }
  }
}
`
}

/** @returns {Promise<number>} */
async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = new URL(listeningUrl(server))
  server.close()
  await once(server, 'close')
  return Number(port)
}

/** @param {number} port */
async function canConnect(port) {
  const socket = connect(port, '127.0.0.1')
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}
