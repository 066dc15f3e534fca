export interface OutputBuffer {
  /** @returns false when the text does not fit any more; nothing of it is kept then. */
  readonly write: (descriptor: 'stdout' | 'stderr', text: string) => boolean
  readonly stdout: () => string
  readonly stderr: () => string
}

/** What a script writes, up to a number of bytes for both streams together. */
export function createOutputBuffer(bytesMax: number): OutputBuffer {
  const texts = { stdout: '', stderr: '' }
  let bytes = 0
  return {
    write(descriptor, text) {
      const size = Buffer.byteLength(text)
      if (bytes + size > bytesMax) return false
      bytes += size
      texts[descriptor] += text
      return true
    },
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
  }
}
