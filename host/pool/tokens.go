package pool

import "encoding/json"

// bytesPerToken is how many bytes of English text and JSON a token has.
const bytesPerToken = 4

// tokensOf estimates how many tokens a tool is in a model's list, where it stands
// with its name, description and input schema: a token for four characters of
// ASCII, and one for each other character. It needs no tokenizer, is the same
// for every model, and is a few percent to a third off. See docs/pool.md.
func tokensOf(tool Tool) int {
	schema, err := json.Marshal(tool.InputSchema) // without white space
	if err != nil {
		schema = tool.InputSchema
	}
	ascii, others := len(`{"name":"","description":"","input_schema":}`), 0
	count := func(text []byte) {
		for _, b := range text {
			switch {
			case b < 0x80:
				ascii++
			case b >= 0xC0: // the first byte of a character
				others++
			}
		}
	}
	count([]byte(tool.Name))
	count([]byte(tool.Description))
	count(schema)
	return (ascii+bytesPerToken-1)/bytesPerToken + others
}
