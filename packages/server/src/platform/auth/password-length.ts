/** In characters as people count them. ASVS 5.0, 6.2.1 and 6.2.9: at least 8, and 64 must be possible. */
export const passwordLengthMin = 8
export const passwordLengthMax = 256
/** Different characters, upper and lower case being alike: “aaaaaaaaaaaa” is long and guessed at once. */
export const passwordVarietyMin = 4
