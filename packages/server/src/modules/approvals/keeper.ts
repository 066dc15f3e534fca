import type { Mailer } from '#platform/mail/mailer.ts'
import { advance, type AdvanceDeps, closeEnded } from './advance.ts'
import { type SendDeps, sendMails } from './send-mails.ts'

export interface KeeperDeps extends Omit<AdvanceDeps, 'mails'>, Omit<SendDeps, 'mailer'> {
  /** `undefined` where the installation sends no mail. */
  readonly mailer: Mailer | undefined
}

/** What looks after approvals while nobody asks about them. */
export interface Keeper {
  /** One pass over approvals. */
  advance(): Promise<void>
  /** One pass over mails. */
  send(): Promise<void>
  /** Goes on with both until stopped. */
  start(): void
  stop(): Promise<void>
}

const everyMs = 1_000
/** One pass does at most so much, so that stopping has to wait for no more. */
const roundsMax = 500

/** Any number of processes may keep approvals: what one of them is at the others pass over. */
export function createKeeper(deps: KeeperDeps): Keeper {
  const { mailer } = deps
  const aborter = new AbortController()
  const { signal } = aborter
  const advanceDeps = { ...deps, mails: mailer !== undefined }

  const pass = async (round: () => Promise<boolean>) => {
    for (let rounds = 0; rounds < roundsMax && !signal.aborted && (await round()); rounds++);
  }
  const keeper = {
    async advance() {
      await pass(() => closeEnded(advanceDeps))
      await pass(() => advance(advanceDeps))
    },
    async send() {
      if (mailer !== undefined) await pass(() => sendMails({ ...deps, mailer }, signal))
    },
  }
  let stops: readonly (() => Promise<void>)[] = []
  return {
    ...keeper,
    start() {
      // Each on its own, so that a mail server that does not answer holds no deadline up.
      const sending = every(keeper.send, deps.warn)
      const advancing = every(() => keeper.advance().then(sending.wake), deps.warn)
      stops = [advancing.stop, sending.stop]
    },
    async stop() {
      aborter.abort()
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

function every(act: () => Promise<void>, warn: KeeperDeps['warn']): { wake(): void; stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const wake = () => {
    running ??= act()
      .catch((error: unknown) => warn('approvals could not be looked after', { error }))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(wake, everyMs)
  return {
    wake,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
