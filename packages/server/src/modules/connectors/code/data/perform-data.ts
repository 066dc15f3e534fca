import type { Json, JsonObject } from '@millrace/engine'
import { addToDate, differenceOfDates, formatDate, parseDate } from './calendar.ts'
import { parseCsv, writeCsv } from './csv.ts'
import { DataError } from './data-error.ts'
import type { DataJob, DataOperation, DataOutcome } from './data-job.ts'
import { decrypt, encrypt, hash, hmac, random } from './digest.ts'
import { readFeed } from './feed.ts'
import { outputBytesMax } from './limits.ts'
import { readMail } from './mail.ts'
import { readPdf } from './pdf.ts'
import { readSpreadsheet, writeSpreadsheet } from './spreadsheet.ts'
import { parseXml, writeXml } from './xml.ts'

const operations: Readonly<Record<DataOperation, (args: JsonObject) => Json | Promise<Json>>> = {
  'csv.parse': parseCsv,
  'csv.write': writeCsv,
  'xml.parse': parseXml,
  'xml.write': writeXml,
  'spreadsheet.read': readSpreadsheet,
  'spreadsheet.write': writeSpreadsheet,
  'pdf.text': readPdf,
  'rss.read': readFeed,
  'mail.read': readMail,
  'crypto.hash': hash,
  'crypto.hmac': hmac,
  'crypto.random': random,
  'crypto.encrypt': encrypt,
  'crypto.decrypt': decrypt,
  'date.parse': parseDate,
  'date.format': formatDate,
  'date.add': addToDate,
  'date.difference': differenceOfDates,
}
const detailMax = 500

/** Performs one operation. A document that a library refuses is an outcome, not a crash of the thread. */
export async function performData({ operation, arguments: args }: DataJob): Promise<DataOutcome> {
  try {
    const value = await operations[operation](args)
    if (Buffer.byteLength(JSON.stringify(value)) > outputBytesMax)
      throw new DataError(`The output has more than ${outputBytesMax} bytes. Work on smaller parts.`)
    return { kind: 'done', value }
  } catch (error) {
    return { kind: 'invalid', detail: error instanceof Error ? error.message.slice(0, detailMax) : 'It cannot be read.' }
  }
}
