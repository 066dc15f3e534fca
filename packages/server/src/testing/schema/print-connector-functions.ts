import { builtInConnectors, createCodeConnectors, createConnectorSource, functionManifest } from '#modules/connectors/index.ts'

const neverUsed = (): never => {
  throw new Error('functions are described here, not performed')
}

/** What the functions of the connectors of the installation take and give: a manifest a line. */
export function printConnectorFunctions(): string {
  const address = { resolve: neverUsed }
  const unused = {
    use: neverUsed,
    address,
    admitTexts: neverUsed,
    httpOf: neverUsed,
    pieces: [],
    database: { account: neverUsed },
    accountFiles: Promise.resolve({}),
    tables: Promise.resolve({}),
    einvoices: Promise.resolve({}),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Connectors use what they are given only when a function is performed.
  const code = createCodeConnectors(unused as unknown as Parameters<typeof createCodeConnectors>[0])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The connectors of the installation are in no database.
  const none = {} as Parameters<typeof createConnectorSource>[0]['db']
  const { builtIn } = createConnectorSource({ db: none, builtIn: builtInConnectors, code })
  const manifests = builtIn.flatMap((connector) => connector.functions.map(({ name }) => functionManifest(connector, name)))
  const lines = manifests.flatMap((manifest) => (manifest === undefined ? [] : [`${JSON.stringify(manifest)}\n`]))
  return lines.toSorted().join('')
}
