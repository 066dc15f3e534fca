const chainsNamespace = 'millrace-chains'
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const chainName = /^chain-(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The page on which people change a workflow: its editor, or the chain that is compiled to it. */
export function editedAt(workflowId: string, definition: unknown): string {
  return chainOf(definition) ?? `/workflows/${workflowId}`
}

/** The page of the chain that is compiled to a definition; undefined for one that people write. */
export function chainOf(definition: unknown): string | undefined {
  const document: unknown = Object(definition).document
  const { namespace, name }: { namespace?: unknown; name?: unknown } = Object(document)
  const uuid = namespace === chainsNamespace ? chainName.exec(String(name))?.groups?.['uuid'] : undefined
  return uuid === undefined ? undefined : `/chains/chn_${suffixOf(uuid)}`
}

/** A UUID as the 26 characters of a TypeID. Source: https://github.com/jetify-com/typeid/tree/main/spec */
function suffixOf(uuid: string): string {
  let left = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let suffix = ''
  for (let index = 0; index < 26; index++) {
    suffix = `${alphabet[Number(left & 31n)]}${suffix}`
    left >>= 5n
  }
  return suffix
}
