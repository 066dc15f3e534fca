import { Fault } from '@millrace/contract'
import { isOfServer } from '#modules/executions/index.ts'
import { startKeyOf } from '#modules/triggers/firing/fire.ts'
import type { ReceiveDeps, Webhook } from '#modules/triggers/webhooks/receive-deps.ts'
import { toTypeId } from '#platform/ids.ts'
import type { SentFile } from './receive-form.ts'

type FormFilesDeps = Pick<ReceiveDeps, 'database' | 'files' | 'onFileError'>

/** What a form started. */
interface Started {
  readonly id: string
  readonly replayed: boolean
}

/** How long files of a test are kept: its execution is a trial. */
const testLifeMs = 24 * 60 * 60 * 1000

/** Makes files of the account of those that were sent, and keeps or deletes them with what becomes of the start. */
export function createFormFiles({ database, files, onFileError }: FormFilesDeps) {
  const discard = async ({ accountId }: Webhook, sent: readonly SentFile[]) => {
    for (const { upload } of sent) await files.discard(accountId, upload).catch(onFileError)
  }

  return {
    /** Publishes the files, before the start that reads them. Without a cause they are those of a test. */
    async publish({ id, accountId }: Webhook, sent: readonly SentFile[], cause: string | undefined): Promise<void> {
      if (sent.length === 0) return
      const writtenBy = `trigger:${toTypeId('trg', id)}`
      const life = cause === undefined ? { expiresInMs: testLifeMs } : { expiresInMs: undefined, startKey: startKeyOf(id, cause) }
      await database.account(accountId, async (tx) => {
        for (const { upload, name, media } of sent) await files.publish(tx, accountId, upload, { name, media, writtenBy, ...life })
      })
    },

    /** After a start. A repetition has the files of the first one; a test may start nothing. */
    async accepted(webhook: Webhook, sent: readonly SentFile[], started: Started | object): Promise<void> {
      if (sent.length === 0 || !('id' in started)) return
      if (started.replayed) return discard(webhook, sent)
      const uploads = sent.map(({ upload }) => upload)
      // The start is durable; what is not kept now is decided about by the maintenance.
      await files.keep(webhook.accountId, uploads, started.id).catch(onFileError)
    },

    /** After an error. Where the start may have succeeded nevertheless, the maintenance decides. */
    async failed(webhook: Webhook, sent: readonly SentFile[], error: unknown): Promise<void> {
      if (isCertain(error)) await discard(webhook, sent)
    },
  }
}

function isCertain(error: unknown): boolean {
  return error instanceof Fault && !isOfServer(error.code)
}
