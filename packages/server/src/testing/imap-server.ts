import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Whether this machine has Dovecot; `.ci/run` installs it on Debian. */
export function hasImapServer(): boolean {
  try {
    execFileSync('dovecot', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A real Dovecot with one user, whose mails are files. */
export async function startImapServer({ username, password }: { readonly username: string; readonly password: string }) {
  const home = await mkdtemp(join(tmpdir(), 'millrace-imap-'))
  const port = await freePort()
  const mails = join(home, 'mails')
  for (const folder of ['.', 'cur', 'new', 'tmp']) {
    await mkdir(join(mails, folder), { recursive: true })
    await chmod(join(mails, folder), 0o777)
  }
  await writeFile(join(home, 'users'), `${username}:{PLAIN}${password}\n`)
  await writeFile(join(home, 'dovecot.conf'), settings({ home, mails, port }))
  // The processes of Dovecot run as users of their own.
  await chmod(home, 0o755)
  const child = spawn('dovecot', ['-F', '-c', join(home, 'dovecot.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`Dovecot does not listen: ${output}`)
    await setTimeout(50)
  }
  let delivered = 0
  return {
    port,
    /** Delivers a mail as another program would: a file that appears at once. */
    async deliver(mail: string): Promise<void> {
      const name = `${Date.now()}.${delivered++}.test`
      await writeFile(join(mails, 'new', name), mail.replaceAll(/\r?\n/g, '\r\n'), { mode: 0o666 })
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Dovecot reads no mails as root. */
const unprivilegedId = 65_534

function settings({ home, mails, port }: { readonly home: string; readonly mails: string; readonly port: number }): string {
  const { username, uid, gid } = userInfo()
  // Root has the users of Debian's package, and its login processes must not be root; any other user is all of them.
  return `
base_dir = ${home}/run
state_dir = ${home}/state
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
${uid === 0 ? '' : `default_internal_user = ${username}\ndefault_internal_group = ${gid}\ndefault_login_user = ${username}`}
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${mails}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
passdb {
  driver = passwd-file
  args = scheme=PLAIN ${home}/users
}
userdb {
  driver = static
  args = uid=${uid === 0 ? unprivilegedId : uid} gid=${uid === 0 ? unprivilegedId : gid} home=${home}/mails
}
`
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })
}
