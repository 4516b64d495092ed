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

// Digest identifies the visible tools and their order, in hex. Pools with one
// digest put the same bytes before a model, whatever their revision.
func (p *Pool) Digest() string {
	hash := sha256.New()
	for i := range p.entries[:p.visible] {
		hash.Write(p.entries[i].digest[:])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
