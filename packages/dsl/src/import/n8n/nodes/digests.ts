/** MD5 (RFC 1321) and SHA-256 (FIPS 180-4) of a list of bytes, for scripts: their host has no module for them. */
export const digests = String.raw`const $words = (bytes, little) => { const length = bytes.length, data = [...bytes, 128]; while (data.length % 64 !== 56) data.push(0); const bits = length * 8, high = Math.floor(bits / 2 ** 32), low = bits >>> 0; const put = (n) => { for (let i = 0; i < 4; i++) data.push((n >>> (little ? 8 * i : 24 - 8 * i)) & 255) }; if (little) { put(low); put(high) } else { put(high); put(low) } const words = []; for (let i = 0; i < data.length; i += 4) words.push(little ? data[i] | (data[i + 1] << 8) | (data[i + 2] << 16) | (data[i + 3] << 24) : (data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3]); return words }
const $bytes = (words, little) => words.flatMap((word) => [0, 1, 2, 3].map((i) => (word >>> (little ? 8 * i : 24 - 8 * i)) & 255))
const $md5 = (bytes) => {
  const words = $words(bytes, true), s = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  let state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let at = 0; at < words.length; at += 16) {
    let [a, b, c, d] = state
    for (let i = 0; i < 64; i++) {
      const round = i >> 4
      const f = round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d)
      const g = round === 0 ? i : round === 1 ? (5 * i + 1) % 16 : round === 2 ? (3 * i + 5) % 16 : (7 * i) % 16
      const sum = (a + f + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) + words[at + g]) | 0, n = s[round * 4 + (i % 4)]
      ;[a, d, c, b] = [d, c, b, (b + ((sum << n) | (sum >>> (32 - n)))) | 0]
    }
    state = [(state[0] + a) | 0, (state[1] + b) | 0, (state[2] + c) | 0, (state[3] + d) | 0]
  }
  return $bytes(state, true)
}
const $sha256 = (bytes) => {
  const words = $words(bytes, false), primes = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n)
  const part = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0, k = primes.map((p) => part(Math.cbrt(p)))
  let state = primes.slice(0, 8).map((p) => part(Math.sqrt(p)))
  const turn = (x, n) => (x >>> n) | (x << (32 - n))
  for (let at = 0; at < words.length; at += 16) {
    const w = words.slice(at, at + 16)
    for (let i = 16; i < 64; i++) w.push((w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3)) + w[i - 7] + (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10))) | 0)
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    state = [a, b, c, d, e, f, g, h].map((n, i) => (n + state[i]) | 0)
  }
  return $bytes(state, false)
}
const $uuid = () => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(Math.random() * 16).toString(16))
`
