/** Limits of one run of a script. Bytes of texts are those of UTF-8. */
export interface ScriptLimits {
  /** Of processor time: a busy machine takes longer by the clock. */
  readonly timeoutMs: number
  /** Of the script's heap. What the machinery of a run needs comes on top, some 16 MiB. */
  readonly memoryBytes: number
  /** Of the sandbox's own stack; the worker's is made large enough for it. */
  readonly stackBytes: number
  /** Standard output and standard error together. */
  readonly outputBytes: number
  /** Standard input, arguments and environment together. */
  readonly inputBytes: number
  readonly codeBytes: number
}

const KIB = 1024
const MIB = 1024 * KIB

export const defaultScriptLimits: ScriptLimits = {
  timeoutMs: 10_000,
  memoryBytes: 64 * MIB,
  stackBytes: 512 * KIB,
  outputBytes: MIB,
  inputBytes: 8 * MIB,
  codeBytes: 256 * KIB,
}

/** A number of bytes as people read it. */
export function bytesText(bytes: number): string {
  const [amount, unit] = bytes >= MIB ? [bytes / MIB, 'MiB'] : bytes >= KIB ? [bytes / KIB, 'KiB'] : [bytes, 'bytes']
  return `${Math.round(amount * 10) / 10} ${unit}`
}
