import { createHash } from 'node:crypto'
import { type NoteKey, parseWitnessKey } from '@millrace/contract/transparency'
import { certificates } from './certificates.ts'
import { listOf, publicUrl } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'

/** Who attests the audit log of the installation: none unless configured. */
export interface AttestationSettings {
  /** An authority of RFC 3161. */
  readonly timeStampUrl: string | undefined
  /** Certificates that its stamps must lead to, as PEM; undefined: stamps are not verified by the server. */
  readonly timeStampCa: string | undefined
  readonly witnesses: readonly WitnessSettings[]
}

export interface WitnessSettings {
  /** The prefix before `/add-checkpoint`. */
  readonly url: string
  readonly key: NoteKey
}

export function readAttestation(reader: Reader): AttestationSettings {
  return {
    timeStampUrl: reader.optional('MILLRACE_TIME_STAMP_URL', publicUrl),
    timeStampCa: reader.file('MILLRACE_TIME_STAMP_CA_FILE', certificates),
    witnesses: reader.read('MILLRACE_WITNESSES', listOf(witness), []),
  }
}

function witness(text: string): WitnessSettings {
  const split = text.indexOf('=')
  const key = parseWitnessKey((bytes) => createHash('sha256').update(bytes).digest(), text.slice(split + 1))
  if (split < 0 || key === undefined)
    throw new Mistake('has an entry that is no witness. Write URL=KEY with the key as name+id+base64, of the type of co-signatures (4).')
  return { url: publicUrl(text.slice(0, split)), key }
}
