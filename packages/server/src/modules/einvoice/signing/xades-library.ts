import { webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'

/** The parts of `xadesjs` that are used here. Its own types would bring those of browsers into the whole project. */
interface XadesLibrary {
  readonly Application: { setEngine(name: string, crypto: unknown): void }
  readonly SignedXml: new (
    document?: unknown,
  ) => {
    LoadXml(signature: unknown): void
    Verify(): Promise<boolean>
    Sign(algorithm: object, key: unknown, document: unknown, options: object): Promise<unknown>
    readonly XmlSignature: { readonly SignatureValue?: Uint8Array | null; GetXml(): unknown }
  }
}

interface XmlCore {
  setNodeDependencies(parts: object): void
}

let loading: ReturnType<typeof load> | undefined

/** Loads the library of XAdES, at the first signature. */
export function loadXades() {
  return (loading ??= load())
}

async function load() {
  const { DOMParser, XMLSerializer, DOMImplementation } = await import('@xmldom/xmldom')
  const require = createRequire(import.meta.url)
  const xades: XadesLibrary = require('xadesjs')
  const xpath: object = require('xpath')
  // Both libraries may have a copy of `xml-core` of their own.
  for (const library of ['xadesjs', 'xmldsigjs']) {
    const core: XmlCore = createRequire(require.resolve(library))('xml-core')
    core.setNodeDependencies({ DOMParser, XMLSerializer, DOMImplementation, xpath })
  }
  xades.Application.setEngine('node', webcrypto)
  return { xades, XMLSerializer }
}
