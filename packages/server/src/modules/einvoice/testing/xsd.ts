import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

/** The official schemas of UBL 2.1. */
export interface UblSchemas {
  /** What is wrong with a document, one text for each place. */
  judge(xml: string): readonly string[]
  [Symbol.dispose](): void
}

export function loadSchemas(folder: string): UblSchemas {
  xmlRegisterFsInputProviders()
  const load = (name: string) => {
    const url = join(folder, `xsd/maindoc/UBL-${name}-2.1.xsd`)
    const document = XmlDocument.fromBuffer(readFileSync(url), { url })
    return { document, validator: XsdValidator.fromDoc(document) }
  }
  const [invoice, creditNote] = [load('Invoice'), load('CreditNote')]
  return {
    judge(xml) {
      const document = XmlDocument.fromString(xml)
      try {
        const { validator } = document.root.name === 'Invoice' ? invoice : creditNote
        validator.validate(document)
        return []
      } catch (error) {
        if (error instanceof XmlValidateError) return error.details.map(({ message }) => message)
        throw error
      } finally {
        document.dispose()
      }
    },
    [Symbol.dispose]() {
      for (const { document, validator } of [invoice, creditNote]) {
        validator.dispose()
        document.dispose()
      }
    },
  }
}
