/**
 * A certificate for the loopback that nobody has signed, and its key: made for these tests, worth nothing elsewhere. It names
 * 127.0.0.1, localhost and models.test.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBpTCCAUygAwIBAgIUNfeOd9V8kWHea6qFEnxvz9YF3rIwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIbG9vcGJhY2swIBcNMjYxMTMwMTYzMjE1WhgPMjEyNjExMDYx
NjMyMTVaMBMxETAPBgNVBAMMCGxvb3BiYWNrMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE62FqAEIuJ1HzH9LQDjq5BFRFljuRonw53ua8BWaVdUgoI+rQZjLeKabX
EHPLLVmrymrwlL03hcUF/wJN0z3P3KN8MHowHQYDVR0OBBYEFCxSBASUQiIMneel
jXUIFYF0F3YFMB8GA1UdIwQYMBaAFCxSBASUQiIMneeljXUIFYF0F3YFMA8GA1Ud
EwEB/wQFMAMBAf8wJwYDVR0RBCAwHoIJbG9jYWxob3N0ggttb2RlbHMudGVzdIcE
fwAAATAKBggqhkjOPQQDAgNHADBEAiBuj9r7hP7Id3NTh0MtHuTreAhlZ1prfv2T
rqixqaqo7QIgZW4Q4sTgz11lIvMKb4BWNVczPtRldc4ppXGNYTKGxBo=
-----END CERTIFICATE-----
`;

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghH3OllV6Em+y3lLU
x9vBq6HLSKjkEBSKiw1ecfzWeEihRANCAATrYWoAQi4nUfMf0tAOOrkEVEWWO5Gi
fDne5rwFZpV1SCgj6tBmMt4pptcQc8stWavKavCUvTeFxQX/Ak3TPc/c
-----END PRIVATE KEY-----
`;
