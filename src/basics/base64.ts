/** Base64 (RFC 4648, padded) without Node's Buffer. */

export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  // In slices: an argument list has a length limit.
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}

/** The bytes, or nothing when the text is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), char => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
