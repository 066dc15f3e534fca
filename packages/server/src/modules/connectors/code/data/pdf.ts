import type { Json, JsonObject } from '@millrace/engine'
import { extractText, getDocumentProxy } from 'unpdf'
import { DataError } from './data-error.ts'
import { bytesOf } from './limits.ts'

const pagesMax = 500

/** `pdf.text`: the text of each page. Scanned pages have none. */
export async function readPdf({ contentBase64 }: JsonObject): Promise<Json> {
  const content = new Uint8Array(bytesOf(contentBase64, '/contentBase64'))
  const document = await getDocumentProxy(content, { verbosity: 0 }).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw new DataError(isLocked ? 'The PDF is protected by a password.' : 'The content is not a PDF that can be read.', { cause: error })
  })
  if (document.numPages > pagesMax) throw new DataError(`The PDF has more than ${pagesMax} pages.`)
  const { text } = await extractText(document, { mergePages: false })
  return { pageCount: document.numPages, pages: text }
}
