'use strict';

// A self-signed certificate for "localhost". The host is given it in the handshake
// line and trusts nothing else on this connection, so that it need not be signed by
// anybody. Node can read certificates and not make them, hence the few lines of DER
// (X.690, RFC 5280) here.

const crypto = require('node:crypto');

const lifetimeMs = 24 * 3600 * 1000 * 365;

// newCertificate returns { key, cert } in PEM and the certificate in DER.
function newCertificate() {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const localhost = sequence(set(sequence(oid('550403'), tlv(0x0c, Buffer.from('localhost')))));
  const now = Date.now();
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), crypto.randomBytes(15)])), // serial number
    algorithm,
    localhost, // issuer
    sequence(time(now - 60_000), time(now + lifetimeMs)),
    localhost, // subject
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(
      // The host looks for an issuer among the certificates that it trusts.
      extension('551d13', sequence(tlv(0x01, Buffer.from([0xff])))), // CA: true
      extension('551d11', sequence(tlv(0x82, Buffer.from('localhost')))), // alternative name
    )),
  );
  const signature = crypto.sign('sha256', body, privateKey);
  const der = sequence(body, algorithm, tlv(0x03, Buffer.from([0]), signature));
  return {
    der,
    cert: pem('CERTIFICATE', der),
    key: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

// tlv is one DER element: its tag, its length, its content.
function tlv(tag, ...parts) {
  const content = Buffer.concat(parts);
  const n = content.length;
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts) => tlv(0x30, ...parts);
const set = (...parts) => tlv(0x31, ...parts);
const integer = (bytes) => tlv(0x02, bytes);
const oid = (hex) => tlv(0x06, Buffer.from(hex, 'hex'));
const extension = (id, value) => sequence(oid(id), tlv(0x04, value));

// time is UTCTime, YYMMDDHHMMSSZ.
const time = (ms) => tlv(0x17, Buffer.from(new Date(ms).toISOString().replace(/^..|[-:T]|\.\d+/g, '')));

function pem(label, der) {
  const lines = der.toString('base64').match(/.{1,64}/g).join('\n');
  return Buffer.from(`-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`);
}

module.exports = { newCertificate };
