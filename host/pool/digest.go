package pool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// digest identifies what a tool is: two tools with one digest are the same in
// every field.
type digest [sha256.Size]byte

// digestOf needs a tool whose schemas are JSON or nil.
func digestOf(tool Tool) (digest, error) {
	data, err := json.Marshal(tool)
	if err != nil {
		return digest{}, err
	}
	return sha256.Sum256(data), nil
}

// schemaVersion identifies an input schema as it is written.
func schemaVersion(schema json.RawMessage) string {
	sum := sha256.Sum256(schema)
	return hex.EncodeToString(sum[:6])
}

// Digest identifies the visible tools and their order, in hex. Pools with one
// digest put the same bytes before a model, whatever their revision.
func (p *Pool) Digest() string {
	hash := sha256.New()
	for _, i := range p.order[:p.visible] {
		hash.Write(p.decisions[i].digest[:])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
