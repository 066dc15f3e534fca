import { type EffectFunction, type JsonObject, membersOf, standardError, textOf, WorkflowError } from '@millrace/engine'
import type { CodeConnector, CodeFunction, HttpOf } from '#modules/connectors/code/code-connector.ts'
import { serviceError } from '#modules/connectors/code/failures.ts'
import * as values from './value-manifests.ts'
import { csvParse, csvWrite, objectOf, textOutput } from './csv-manifests.ts'
import type { DataOperation } from './data-job.ts'
import { createDataWork, type DataWork } from './data-work.ts'
import * as documents from './document-manifests.ts'

const version = '1.0.0'
const feedBytesMax = 8 * 1024 * 1024
const feedTimeoutMs = 30_000
const csvRows = objectOf(['rows'], { rows: { type: 'array', items: { type: ['object', 'array'] } } })

/** Files and texts as data, and data as files: functions without a connection. */
export function createDataConnectors({ httpOf }: { readonly httpOf: HttpOf }): readonly CodeConnector[] {
  const work = createDataWork()
  const computed = (operation: DataOperation, summary: string, input: JsonObject, output: JsonObject): CodeFunction => {
    const name = operation.split('.')[1] ?? ''
    return { name, summary, input, output, perform: (call) => work(call, operation, membersOf(call.arguments)) }
  }
  const csv = [
    computed('csv.parse', 'Reads rows from CSV.', csvParse, csvRows),
    computed('csv.write', 'Writes rows as CSV.', csvWrite, textOutput),
  ]
  const xml = [
    computed('xml.parse', 'Reads an XML document.', documents.xmlParse, documents.xmlDocument),
    computed('xml.write', 'Writes an XML document.', documents.xmlWrite, textOutput),
  ]
  const spreadsheet = [
    computed('spreadsheet.read', 'Reads the rows of a sheet of an Excel workbook.', documents.spreadsheetRead, documents.spreadsheetRows),
    computed('spreadsheet.write', 'Writes an Excel workbook.', documents.spreadsheetWrite, documents.fileOutput),
  ]
  const pdf = [computed('pdf.text', 'Reads the text of a PDF, page by page.', documents.pdfText, documents.pdfOutput)]
  const crypto = [
    computed('crypto.hash', 'Hashes a text or a file.', values.hash, values.digestOutput),
    computed('crypto.hmac', 'Authenticates a text or a file by a key.', values.hmac, values.digestOutput),
    computed('crypto.random', 'Makes a value that cannot be guessed, and a UUID.', values.random, values.randomOutput),
    computed('crypto.encrypt', 'Encrypts a text or a file by AES-256-GCM.', values.encrypt, values.encryptOutput),
    computed('crypto.decrypt', 'Decrypts what crypto.encrypt gave.', values.decrypt, values.decryptOutput),
  ]
  const date = [
    computed('date.parse', 'Reads a time from a text.', values.dateParse, values.timeOutput),
    computed('date.format', 'Writes a time as a text.', values.dateFormat, values.dateText),
    computed('date.add', 'Adds a duration to a time.', values.dateAdd, values.timeOutput),
    computed('date.difference', 'Counts the time between two times.', values.dateDifference, values.differenceOutput),
  ]
  const read = {
    name: 'read',
    summary: 'Reads a feed of RSS, RDF, Atom or JSON Feed.',
    input: documents.rssRead,
    output: documents.rssOutput,
  }
  return [
    { name: 'crypto', title: 'Hashes and encryption', version, functions: crypto },
    { name: 'csv', title: 'CSV', version, functions: csv },
    { name: 'date', title: 'Dates', version, functions: date },
    { name: 'xml', title: 'XML', version, functions: xml },
    { name: 'spreadsheet', title: 'Spreadsheet', version, functions: spreadsheet },
    { name: 'pdf', title: 'PDF', version, functions: pdf },
    { name: 'rss', title: 'Feeds', version, functions: [{ ...read, perform: readFunction(httpOf, work) }] },
  ]
}

function readFunction(httpOf: HttpOf, work: DataWork): EffectFunction {
  return async (call) => {
    const { url, itemsMax } = membersOf(call.arguments)
    const request = {
      method: 'GET',
      url: textOf(url) ?? '',
      headers: { accept: 'application/rss+xml, application/atom+xml, application/feed+json, application/xml, */*;q=0.5' },
      followRedirects: true,
      timeoutMs: feedTimeoutMs,
      maxResponseBytes: feedBytesMax,
    }
    const reply = await httpOf(call)
      .request(request, call.signal)
      .catch((error: unknown) => {
        call.signal.throwIfAborted()
        throw serviceError(error)
      })
    if (reply.status < 200 || reply.status > 299) {
      const { data } = standardError('communication', `The server of the feed answered ${reply.status}.`)
      throw new WorkflowError({ ...data, status: reply.status })
    }
    const text = Buffer.from(reply.body).toString('utf8')
    return work(call, 'rss.read', { text, ...(itemsMax === undefined ? {} : { itemsMax }) })
  }
}
